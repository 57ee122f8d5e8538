# SPDX-License-Identifier: MIT
"""A server with odd ways, by path, and clients, for kinds.py: serve PORT | ask HOST PORT STEP... | redis HOST PORT NUMBER."""
import socket
import sys
import threading
import time

HEAD = b"HTTP/1.1 200 OK\r\n"


def send(c, body, length=None):
    c.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % (len(body) if length is None else length) + body)


def answer(c, method, path):
    """@return whether the connection stays open."""
    word, _, value = path.strip("/").partition("/")
    if word == "slow":
        time.sleep(float(value))
        send(c, b"x" * 2000)
    elif word == "short":
        send(c, b"y" * 30000, 90000)
        time.sleep(float(value))
        return False
    elif word in ("chunks", "allchunks"):
        c.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + (b"1000\r\n" + b"z" * 4096 + b"\r\n") * (2 if value else 1))
        time.sleep(float(value or 0.3))
        c.sendall(b"" if value else b"0\r\n\r\n")
        return False
    elif word == "nolength":
        c.sendall(b"HTTP/1.0 200 OK\r\n\r\n" + b"w" * 3000)
        time.sleep(float(value))
        return False
    elif word == "drip":
        send(c, b"", int(value))
        for _ in range(int(value) // 400):
            c.sendall(b"d" * 400)
            time.sleep(0.05)
    elif method == "HEAD":
        send(c, b"", 700)
    else:
        send(c, b"x" * 700)
    return True


def talk(c):
    with c:
        while True:
            head = b""
            while b"\r\n\r\n" not in head:
                more = c.recv(65536)
                if not more:
                    return
                head += more
            method, path = head.decode().split()[:2]
            if not answer(c, method, path):
                return


def serve(port):
    with socket.create_server(("", int(port)), backlog=256) as listener:
        while True:
            threading.Thread(target=talk, args=(listener.accept()[0],), daemon=True).start()


def read(s):
    data = b""
    while b"\r\n\r\n" not in data:
        more = s.recv(65536)
        if not more:
            raise EOFError
        data += more
    head, body = data.split(b"\r\n\r\n", 1)
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            while len(body) < int(line.split(b":")[1]):
                more = s.recv(65536)
                if not more:
                    raise EOFError
                body += more


def ask(host, port, *steps):
    s, bound = None, 0
    for step in steps:
        word, _, value = step.partition(":")
        try:
            if word == "sleep":
                time.sleep(float(value))
            elif word == "bind":
                bound = int(value)
            elif word == "close":
                s.close()
                s = None
            else:
                s = s or socket.create_connection((host, int(port)), 6, ("", bound) if bound else None)
            if word in ("get", "ask"):
                s.settimeout(30)
                s.sendall(f"GET {value} HTTP/1.1\r\nHost: shop.example\r\n\r\n".encode())
            if word == "get":
                read(s)
        except (OSError, EOFError, AttributeError):
            s = None


def redis(host, port, number):
    """Ask every 0.2 s, on a new connection after an error; the first client keeps the server busy once, the tenth asks once."""
    time.sleep(int(number) * 0.05)
    s, end, turns = None, time.time() + 3.4, 0
    while time.time() < end and not (number == "9" and turns):
        turns += 1
        try:
            s = s or socket.create_connection((host, int(port)), 8)
            s.sendall(b"DEBUG SLEEP 9\r\n" if number == "0" and turns == 5 else b"GET a\r\n")
            if not s.recv(1000):
                raise EOFError
            time.sleep(0.2)
        except (OSError, EOFError):
            s = None
            time.sleep(0.4)


if __name__ == "__main__":
    {"serve": serve, "ask": ask, "redis": redis}[sys.argv[1]](*sys.argv[2:])
