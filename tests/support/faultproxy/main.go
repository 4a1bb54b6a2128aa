// A proxy between an operator and a real API server that makes chosen calls fail.
//
//	faultproxy -upstream https://10.0.0.2:6443 -ca ca.crt -cert op.crt -key op.key \
//	           -kubeconfig out.yaml -admin out.port
//
// It speaks HTTP/2 and TLS on both sides, adds the client certificate, writes a kubeconfig that leads
// through it and the port on which it takes orders (rules.go), and ends with its standard input.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
)

func main() {
	upstream := flag.String("upstream", "", "URL of the API server")
	ca := flag.String("ca", "", "what signed its certificate")
	cert := flag.String("cert", "", "client certificate to present to it")
	key := flag.String("key", "", "and its key")
	kubeconfig := flag.String("kubeconfig", "", "where to write a kubeconfig that leads here")
	listen := flag.String("listen", "127.0.0.1:0", "where to take calls")
	admin := flag.String("admin", "", "where to write the address that takes orders")
	flag.Parse()

	target, err := url.Parse(*upstream)
	must(err)
	rules := newRules()
	proxy := &proxy{target: target, rules: rules, transport: transport(*ca, *cert, *key)}

	address := serve(proxy, *listen, *kubeconfig)
	orders, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	go func() { must(http.Serve(orders, rules.orders())) }()
	must(os.WriteFile(*admin+".part", []byte(orders.Addr().String()), 0o600))
	must(os.Rename(*admin+".part", *admin))
	log.Printf("%s leads to %s, orders at %s", address, *upstream, orders.Addr())
	_, _ = io.Copy(io.Discard, os.Stdin)
}

func transport(ca, cert, key string) *http.Transport {
	roots := x509.NewCertPool()
	pem, err := os.ReadFile(ca)
	must(err)
	roots.AppendCertsFromPEM(pem)
	pair, err := tls.LoadX509KeyPair(cert, key)
	must(err)
	return &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{pair},
			MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:  true,
		DisableCompression: true,
	}
}

func serve(handler http.Handler, listen, kubeconfig string) string {
	pair, pem := selfSigned()
	listener, err := net.Listen("tcp", listen)
	must(err)
	server := &http.Server{
		Handler:   handler,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12},
		ErrorLog:  log.New(io.Discard, "", 0),
	}
	go func() { must(server.ServeTLS(listener, "", "")) }()
	must(os.WriteFile(kubeconfig, []byte(kubeconfigText(listener.Addr().String(), pem)), 0o600))
	return listener.Addr().String()
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "faultproxy:", err)
		os.Exit(1)
	}
}
