# SPDX-License-Identifier: MIT
"""nginx and php-fpm inside a host of the lab: their configuration, started and ended with a `with` block."""
import contextlib
import os
import subprocess
import time

import host

PHP_FPM = "php-fpm8.2"
NGINX = """
worker_processes 2; daemon off; user root; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 4096; }}
http {{
  log_format timed '$msec $status $request_time $upstream_connect_time $upstream_header_time';
  access_log {folder}/access.log timed buffer=64k flush=1s; default_type text/html;
  client_body_temp_path {folder}/body; fastcgi_temp_path {folder}/fcgi; proxy_temp_path {folder}/proxy;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi; root {folder}/www; {http}
  server {{ listen {port} backlog={backlog}; {server} location / {{ {location} }} }}
}}
"""
FPM = """
[global]
pid = {folder}/fpm.pid
error_log = {folder}/fpm.log
daemonize = no
[www]
user = root
group = root
listen = 127.0.0.1:9000
listen.backlog = {backlog}
pm = static
pm.max_children = {children}
"""
FASTCGI = ("fastcgi_pass 127.0.0.1:9000; fastcgi_param SCRIPT_FILENAME {folder}/www/index.php; fastcgi_param REQUEST_METHOD GET; "
           "fastcgi_param QUERY_STRING ''; fastcgi_param SERVER_PROTOCOL HTTP/1.1;")  # fmt: skip
PAGE = "<!DOCTYPE html>\n" + "<p>Thank you for using the lab.</p>\n" * 16


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


@contextlib.contextmanager
def running(command, patience_s=5):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        host.stop(process, patience_s=patience_s)


def await_port(pair, side, port):
    for _ in range(50):
        out = subprocess.run(pair.inside(side, "ss", "-Hltn", f"sport = :{port}"), capture_output=True, text=True, timeout=5, check=True)
        if out.stdout.strip():
            return
        time.sleep(0.1)
    raise RuntimeError(f"nobody listens at port {port}")


@contextlib.contextmanager
def web(pair, folder, port=80, backlog=511, php=None, http="", server=""):
    """nginx at the server's `port`; `php` = {"backlog": ..., "children": ..., "ms": ...} puts php-fpm behind it."""
    os.makedirs(os.path.join(folder, "www"), exist_ok=True)
    write(os.path.join(folder, "www/index.html"), PAGE)
    with contextlib.ExitStack() as stack:
        location = ""
        if php:
            write(os.path.join(folder, "www/index.php"), f"<?php usleep({int(php['ms'] * 1000)}); echo 'Hello World!';")
            write(os.path.join(folder, "fpm.conf"), FPM.format(folder=folder, backlog=php["backlog"], children=php["children"]))
            stack.enter_context(running(pair.inside("server", PHP_FPM, "-F", "-R", "-n", "-y", os.path.join(folder, "fpm.conf"))))
            await_port(pair, "server", 9000)
            location = FASTCGI.format(folder=folder)
        text = NGINX.format(folder=folder, port=port, backlog=backlog, http=http, server=server, location=location)
        write(os.path.join(folder, "nginx.conf"), text)
        stack.enter_context(running(pair.inside("server", "nginx", "-e", os.path.join(folder, "error.log"), "-c", os.path.join(folder, "nginx.conf"))))
        await_port(pair, "server", port)
        yield


def log_counts(folder):
    """What nginx logged: answers by status, and the kernel's refusals that it names."""
    counts = {"status": {}, "errors": {}}
    with open(os.path.join(folder, "access.log"), encoding="utf-8") as f:
        for line in f:
            status = line.split()[1]
            counts["status"][status] = counts["status"].get(status, 0) + 1
    with open(os.path.join(folder, "error.log"), encoding="utf-8", errors="replace") as f:
        for line in f:
            for error in ("Cannot assign requested address", "Resource temporarily unavailable", "Connection refused", "Connection timed out"):
                counts["errors"][error] = counts["errors"].get(error, 0) + (error in line)
    return counts
