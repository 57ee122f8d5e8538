module tcpwhy.lab/gvisor

go 1.22.0

require (
	golang.org/x/sys v0.17.0
	gvisor.dev/gvisor v0.0.0-20240722211153-64c016c92987
)

require (
	github.com/google/btree v1.1.2 // indirect
	golang.org/x/time v0.5.0 // indirect
)
