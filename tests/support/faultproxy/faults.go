package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

type proxy struct {
	target    *url.URL
	rules     *rules
	transport http.RoundTripper
}

const bodyMax = 8 << 20

// Faults, by whether the server gets to see the call:
//
//	not at all   refuse (the stream breaks), timeout (no word), 409, 429, 500, 503, 401, 410
//	it does      lost (the stream breaks without an answer), cut (in the middle of the body),
//	             delay (the answer is late)
func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, bodyMax))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	c, a := p.rules.begin(r)
	status := 0
	defer func() { p.rules.end(c, status, body) }()

	if a == nil {
		status = p.forward(w, r, body, 0, false)
		return
	}
	switch a.Fault {
	case "refuse":
		panic(http.ErrAbortHandler)
	case "timeout":
		<-r.Context().Done()
	case "lost":
		p.lose(r, body)
		panic(http.ErrAbortHandler)
	case "cut":
		status = p.forward(w, r, body, a.After, true)
		panic(http.ErrAbortHandler)
	case "delay":
		time.Sleep(time.Duration(a.Wait) * time.Millisecond)
		status = p.forward(w, r, body, 0, false)
	default:
		status = answer(w, a)
	}
}

var reasons = map[string]string{
	"401": "Unauthorized", "409": "Conflict", "410": "Expired", "429": "TooManyRequests",
	"500": "InternalError", "503": "ServiceUnavailable",
}

func answer(w http.ResponseWriter, a *arm) int {
	status := http.StatusInternalServerError
	if _, err := fmt.Sscan(a.Fault, &status); err != nil || reasons[a.Fault] == "" {
		panic(fmt.Sprintf("no fault '%s'", a.Fault))
	}
	w.Header().Set("Content-Type", "application/json")
	if a.Fault == "429" {
		w.Header().Set("Retry-After", fmt.Sprint(a.Wait))
	}
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"made to fail",`+
		`"reason":"%s","code":%d}`, reasons[a.Fault], status)
	return status
}

func (p *proxy) send(r *http.Request, body []byte) (*http.Response, error) {
	out := r.Clone(r.Context())
	out.RequestURI = ""
	out.URL.Scheme, out.URL.Host = p.target.Scheme, p.target.Host
	out.Host = p.target.Host
	out.Body = io.NopCloser(bytes.NewReader(body))
	out.ContentLength = int64(len(body))
	if len(body) == 0 {
		out.Body = nil
	}
	return p.transport.RoundTrip(out)
}

func (p *proxy) lose(r *http.Request, body []byte) {
	if response, err := p.send(r, body); err == nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, bodyMax))
		response.Body.Close()
	}
}

// forward passes the answer on as it comes; or a part of it, of which what is left is half of the
// body, or of the first piece of a watch.
func (p *proxy) forward(w http.ResponseWriter, r *http.Request, body []byte, most int, part bool) int {
	response, err := p.send(r, body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer response.Body.Close()
	for name, values := range response.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(response.StatusCode)
	if part {
		passPart(w, response.Body, most, isWatch(r))
	} else {
		pass(w, response.Body, func() { p.rules.passed(r.URL.RequestURI()) })
	}
	return response.StatusCode
}

func pass(w http.ResponseWriter, from io.Reader, before func()) {
	piece := make([]byte, 64<<10)
	for {
		n, err := from.Read(piece)
		if n > 0 {
			before()
			if _, err := w.Write(piece[:n]); err != nil {
				panic(http.ErrAbortHandler)
			}
			w.(http.Flusher).Flush()
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			panic(http.ErrAbortHandler)
		}
	}
}

func passPart(w http.ResponseWriter, from io.Reader, most int, watch bool) {
	var all []byte
	switch {
	case watch && most > 0:
		all = make([]byte, most)
		n, _ := io.ReadFull(from, all)
		all = all[:n]
	case watch:
		all = make([]byte, 64<<10)
		n, _ := from.Read(all)
		all = all[:n]
	default:
		all, _ = io.ReadAll(io.LimitReader(from, bodyMax))
	}
	if most == 0 || most > len(all) {
		most = len(all) / 2
	}
	_, _ = w.Write(all[:most])
	w.(http.Flusher).Flush()
	time.Sleep(5 * time.Millisecond) // what was written leaves before the stream breaks
}
