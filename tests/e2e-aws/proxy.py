#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A forward proxy on loopback, for plain requests and for tunnels. Writes a line per connection.
Usage: proxy.py PORT_FILE LOG [PORT]; tunnels to any host end at that port of this one."""
import os
import socket
import sys
import threading
import time
import urllib.parse


def pump(a, b):
    try:
        while data := a.recv(65536):
            b.sendall(data)
    except OSError:
        pass
    for end in (a, b):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def head_of(client):
    data = b""
    while b"\r\n\r\n" not in data:
        more = client.recv(65536)
        if not more:
            return None
        data += more
    return data


def serve(client):
    data = head_of(client)
    if data is None:
        return
    line, rest = data.split(b"\r\n", 1)
    method, target, version = line.decode().split(" ")
    with open(sys.argv[2], "a", encoding="utf-8") as log:
        log.write(f"{method} {target}\n")
    if method == "CONNECT":
        host, port = target.rsplit(":", 1)
        if len(sys.argv) > 3:
            host, port = "127.0.0.1", sys.argv[3]
        server = socket.create_connection((host, int(port)))
        client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
    else:
        url = urllib.parse.urlsplit(target)
        server = socket.create_connection((url.hostname, url.port or 80))
        # one request a connection: the next one must be rewritten as well
        server.sendall(f"{method} {url.path or '/'} {version}\r\nConnection: close\r\n".encode() + rest)
    threading.Thread(target=pump, args=(server, client), daemon=True).start()
    pump(client, server)


def follow(parent):
    """Ends with whoever started this, also where python3 is a wrapper that was killed alone."""
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(0)


threading.Thread(target=follow, args=(os.getppid(),), daemon=True).start()
listener = socket.create_server(("127.0.0.1", 0))
with open(sys.argv[1] + ".part", "w", encoding="utf-8") as out:
    out.write(str(listener.getsockname()[1]))
os.rename(sys.argv[1] + ".part", sys.argv[1])
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
