# SPDX-License-Identifier: MIT
"""Over loopback: a request that takes the server 2.5 seconds."""
import socket
import threading
import time

THINK_S = 2.5

listener = socket.create_server(("127.0.0.1", 0))


def serve():
    peer, _ = listener.accept()
    peer.recv(1000)
    time.sleep(THINK_S)
    peer.sendall(b"answer")
    peer.recv(1000)
    peer.close()


server = threading.Thread(target=serve)
server.start()
with socket.create_connection(listener.getsockname()) as client:
    client.sendall(b"question")
    client.recv(1000)
server.join()
