#!/usr/bin/env python3
"""A server with good and bad manners, for tests of the HTTP client.

http_peer.py [CERT KEY [CLIENT_CA]] prints its port and serves until its standard input ends. What a
path does is the name of its handler below.
"""
import asyncio
import os
import ssl
import sys

seen = {"connections": 0, "requests": 0}


class Cut(Exception):
    """The connection is to be closed at once."""


def answer(status, body, *headers):
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}", "X-Peer: Python", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


async def ok(request):
    request.out.write(answer(200, b"ok"))


async def echo(request, *_):
    text = f"{request.method} {request.target}\n"
    text += "".join(f"{name}: {value}\n" for name, value in sorted(request.headers.items()))
    request.out.write(answer(200, text.encode() + b"\n" + request.body))


async def status(request, code):
    request.out.write(answer(code, b"status " + code.encode(), "Retry-After: 7",
                             'Warning: 299 - "one"', 'Warning: 299 - "two"'))


async def big(request, size):
    request.out.write(answer(200, b"x" * int(size)))


async def drip(request, count, msec):
    """count chunks, msec apart"""
    request.out.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    for number in range(int(count)):
        text = f"{number};".encode()
        request.out.write(f"{len(text):x}\r\n".encode() + text + b"\r\n")
        await request.out.drain()
        await asyncio.sleep(int(msec) / 1000)
    request.out.write(b"0\r\nX-Trailer: end\r\n\r\n")


async def cut(request, size):
    """announces 1000 bytes and sends fewer"""
    request.out.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + b"x" * int(size))
    await request.out.drain()
    raise Cut


async def silent(request):
    await asyncio.sleep(3600)


async def drop(request):
    """closes a connection that was used before, answers on a new one"""
    if request.number > 1:
        raise Cut
    request.out.write(answer(200, b"fresh"))


async def junk(request):
    request.out.write(b"SSH-2.0-OpenSSH_9.2\r\n")
    raise Cut


async def heads(request, size):
    request.out.write(answer(200, b"", "X-Long: " + "h" * int(size)))


async def interim(request):
    request.out.write(b"HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n" + answer(200, b"final"))


async def count(request):
    request.out.write(answer(200, f"{seen['connections']} {seen['requests']}".encode()))


class Request:
    def __init__(self, out, number):
        self.out, self.number, self.headers = out, number, {}

    async def read(self, reader):
        line = (await reader.readline()).decode()
        if not line:
            raise Cut
        self.method, self.target, _ = line.split()
        while (line := (await reader.readline()).decode().strip()):
            name, value = line.split(":", 1)
            self.headers[name.lower()] = value.strip()
        self.body = await reader.readexactly(int(self.headers.get("content-length", 0)))
        seen["requests"] += 1

    async def serve(self):
        name, *words = self.target.split("?")[0].strip("/").split("/")
        await globals()[name](self, *words)
        await self.out.drain()


async def connection(reader, writer):
    seen["connections"] += 1
    number = 0
    try:
        while True:
            number += 1
            request = Request(writer, number)
            await request.read(reader)
            await request.serve()
    except (Cut, ConnectionError, asyncio.IncompleteReadError, ssl.SSLError,
            UnicodeDecodeError):
        pass
    finally:
        writer.close()


def tls(words):
    if not words:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(words[0], words[1])
    if len(words) > 2:
        context.load_verify_locations(words[2])
        context.verify_mode = ssl.CERT_REQUIRED
    return context


async def main():
    loop = asyncio.get_running_loop()
    server = await asyncio.start_server(connection, "127.0.0.1", 0, ssl=tls(sys.argv[1:]))
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    os._exit(0)  # whatever the handlers are waiting for


asyncio.run(main())
