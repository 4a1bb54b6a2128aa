#!/usr/bin/env python3
"""A proxy that speaks HTTP CONNECT and SOCKS 5, told apart by the first byte.

proxy_peer.py [USER PASSWORD] prints its port and serves until its standard input ends.
"""
import base64
import socket
import struct
import sys
import threading

login = sys.argv[1:3]


def exactly(conn, size):
    data = b""
    while len(data) < size:
        piece = conn.recv(size - len(data))
        if not piece:
            raise OSError("closed")
        data += piece
    return data


def field(conn):
    return exactly(conn, exactly(conn, 1)[0]).decode()


def connect_target(conn, first):
    head = first
    while not head.endswith(b"\r\n\r\n"):
        head += exactly(conn, 1)
    lines = head.decode().split("\r\n")
    token = base64.b64encode(":".join(login).encode()).decode()
    if login and f"Proxy-Authorization: Basic {token}" not in lines:
        conn.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
        raise OSError("refused")
    host, port = lines[0].split()[1].rsplit(":", 1)
    return host, int(port), b"HTTP/1.1 200 Connection established\r\nX-Via: test\r\n\r\n"


def socks_target(conn):
    methods = exactly(conn, exactly(conn, 1)[0])
    method = 2 if login else 0
    if method not in methods:
        conn.sendall(b"\x05\xff")
        raise OSError("refused")
    conn.sendall(bytes([5, method]))
    if login:
        exactly(conn, 1)
        good = [field(conn), field(conn)] == login
        conn.sendall(b"\x01\x00" if good else b"\x01\x01")
        if not good:
            raise OSError("refused")
    exactly(conn, 4)
    host = field(conn)
    port = struct.unpack(">H", exactly(conn, 2))[0]
    return host, port, b"\x05\x00\x00\x01" + bytes(6)


def pump(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def serve(conn):
    try:
        first = exactly(conn, 1)
        host, port, greeting = socks_target(conn) if first == b"\x05" else connect_target(conn, first)
        server = socket.create_connection((host, port))
        conn.sendall(greeting)
    except OSError:
        conn.close()
        return
    threading.Thread(target=pump, args=(server, conn), daemon=True).start()
    pump(conn, server)


def accept(listener):
    while True:
        conn, _ = listener.accept()
        threading.Thread(target=serve, args=(conn,), daemon=True).start()


listening = socket.create_server(("127.0.0.1", 0))
print(listening.getsockname()[1], flush=True)
threading.Thread(target=accept, args=(listening,), daemon=True).start()
sys.stdin.read()
