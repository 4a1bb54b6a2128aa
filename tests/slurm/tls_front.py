"""Ends TLS in front of a plain server: tls_front.py CERT KEY HOST PORT prints the port it listens on."""
import socket
import ssl
import sys
import threading


def pump(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
    except OSError:
        pass
    finally:
        for one in (source, sink):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def main(cert, key, host, port):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    while True:
        raw, _ = listener.accept()
        try:
            inside = context.wrap_socket(raw, server_side=True)
        except (ssl.SSLError, OSError):
            raw.close()
            continue
        outside = socket.create_connection((host, int(port)))
        threading.Thread(target=pump, args=(inside, outside), daemon=True).start()
        threading.Thread(target=pump, args=(outside, inside), daemon=True).start()


if __name__ == "__main__":
    main(*sys.argv[1:])
