#!/usr/bin/env python3
"""An HTTP/2 server that says GOAWAY, for tests of the HTTP client.

h2_peer.py CERT KEY N [hold] answers the first N requests of each connection with "ok", says GOAWAY,
and leaves later ones unanswered; with "hold", requests that have a body are never answered. It prints its port and serves until its standard input ends. Frames are
written by hand (RFC 9113): real servers do not go away on demand.
"""
import socket
import ssl
import struct
import sys
import threading

DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY = 0, 1, 3, 4, 6, 7
END_STREAM, ACK = 1, 1
STATUS_200 = b"\x88"  # HPACK: static table entry 8


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def exactly(conn, size):
    data = b""
    while len(data) < size:
        piece = conn.recv(size - len(data))
        if not piece:
            raise ConnectionError
        data += piece
    return data


def next_frame(conn):
    head = exactly(conn, 9)
    length = int.from_bytes(head[:3], "big")
    kind, flags, stream = struct.unpack(">BBI", head[3:])
    return kind, flags, stream, exactly(conn, length)


def answer(stream, whole):
    """An answer to a request whose body is still coming ends with a reset without an error, as Go's
    servers do it."""
    frames = frame(HEADERS, 4, stream, STATUS_200) + frame(DATA, END_STREAM, stream, b"ok")
    return frames if whole else frames + frame(RST_STREAM, 0, stream, bytes(4))


def serve(conn, quota):
    exactly(conn, 24)  # the client's preface
    conn.sendall(frame(SETTINGS, 0, 0))
    answered = 0
    while True:
        kind, flags, stream, payload = next_frame(conn)
        if kind == SETTINGS and not flags & ACK:
            conn.sendall(frame(SETTINGS, ACK, 0))
        elif kind == PING and not flags & ACK:
            conn.sendall(frame(PING, ACK, 0, payload))
        elif kind == HEADERS and answered < quota and not (hold and not flags & END_STREAM):
            answered += 1
            conn.sendall(answer(stream, flags & END_STREAM))
            if answered == quota:
                conn.sendall(frame(GOAWAY, 0, 0, struct.pack(">II", stream, 0)))


def connection(raw, context, quota):
    try:
        with context.wrap_socket(raw, server_side=True) as conn:
            serve(conn, quota)
    except OSError:
        pass


def accept(listener, context, quota):
    while True:
        raw, _ = listener.accept()
        threading.Thread(target=connection, args=(raw, context, quota), daemon=True).start()


cert, key, count = sys.argv[1:4]
hold = "hold" in sys.argv[4:]
tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
tls.load_cert_chain(cert, key)
tls.set_alpn_protocols(["h2"])
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
threading.Thread(target=accept, args=(server, tls, int(count)), daemon=True).start()
sys.stdin.read()
