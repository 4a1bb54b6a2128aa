package main

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"
)

// An arm makes the calls number Nth to Nth+Times-1 of those that match fail.
type arm struct {
	ID     string `json:"id"`
	Path   string `json:"path"`   // regular expression over path and query
	Method string `json:"method"` // "" for any
	Writes bool   `json:"writes"` // only calls that change something
	Calls  bool   `json:"calls"`  // no watches
	Nth    int    `json:"nth"`    // from 1
	Times  int    `json:"times"`  // 0 for once, -1 for ever
	Fault  string `json:"fault"`  // see faults.go
	After  int    `json:"after"`  // cut: bytes that still get through, 0 for half of the body
	Wait   int    `json:"wait"`   // 429: seconds in Retry-After; delay: milliseconds

	path *regexp.Regexp
	seen int
	hits int
}

// A call as the operator made it and as it was answered.
type call struct {
	Seq    int     `json:"seq"`
	At     float64 `json:"at"`
	Method string  `json:"method"`
	Path   string  `json:"path"`
	Type   string  `json:"type"` // content type of the body
	Agent  string  `json:"agent"`
	Watch  bool    `json:"watch"`
	Write  bool    `json:"write"`
	Fault  string  `json:"fault"`
	Status int     `json:"status"` // 0 while there is no answer
	Body   string  `json:"body"`   // of a write, if bodies are asked for
}

// A piece of an answer to a watch, when it was passed on.
type piece struct {
	At   float64 `json:"at"`
	Path string  `json:"path"`
}

type rules struct {
	mutex  sync.Mutex
	arms   []*arm
	calls  []*call
	bodies bool
	timed  bool
	pieces []piece
}

func now() float64 { return float64(time.Now().UnixNano()) / 1e9 }

func (s *rules) passed(path string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.timed {
		s.pieces = append(s.pieces, piece{now(), path})
	}
}

func newRules() *rules { return &rules{} }

func isWatch(r *http.Request) bool {
	watch := r.URL.Query().Get("watch")
	return watch == "true" || watch == "1"
}

// A review is a question that is put as a POST.
func isWrite(r *http.Request) bool {
	return r.Method != http.MethodGet && r.Method != http.MethodHead &&
		!strings.HasPrefix(r.URL.Path, "/apis/authentication.k8s.io/") &&
		!strings.HasPrefix(r.URL.Path, "/apis/authorization.k8s.io/")
}

func (a *arm) matches(c *call) bool {
	return (a.Method == "" || a.Method == c.Method) && (!a.Writes || c.Write) &&
		(!a.Calls || !c.Watch) && a.path.MatchString(c.Path)
}

// begin notes a call down and says which arm makes it fail, if any.
func (s *rules) begin(r *http.Request) (*call, *arm) {
	c := &call{At: now(), Method: r.Method, Path: r.URL.RequestURI(),
		Type: r.Header.Get("Content-Type"), Agent: r.UserAgent(), Watch: isWatch(r), Write: isWrite(r)}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.calls = append(s.calls, c)
	c.Seq = len(s.calls)
	var chosen *arm
	for _, a := range s.arms {
		if !a.matches(c) {
			continue
		}
		a.seen++
		if chosen == nil && a.seen >= a.Nth && (a.Times < 0 || a.hits < max(a.Times, 1)) {
			a.hits++
			c.Fault = a.Fault
			chosen = a
		}
	}
	return c, chosen
}

func (s *rules) end(c *call, status int, body []byte) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	c.Status = status
	if s.bodies && c.Write {
		c.Body = string(body)
	}
}

// ---- orders

func (s *rules) orders() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/arm", s.order(func(w http.ResponseWriter, r *http.Request) error {
		a := &arm{}
		if err := json.NewDecoder(r.Body).Decode(a); err != nil {
			return err
		}
		path, err := regexp.Compile(a.Path)
		a.path = path
		s.arms = append(s.arms, a)
		return err
	}))
	mux.HandleFunc("/disarm", s.order(func(w http.ResponseWriter, r *http.Request) error {
		kept, id := []*arm{}, r.URL.Query().Get("id")
		hits := 0
		for _, a := range s.arms {
			if id == "" || a.ID == id {
				hits += a.hits
			} else {
				kept = append(kept, a)
			}
		}
		s.arms = kept
		return json.NewEncoder(w).Encode(hits)
	}))
	mux.HandleFunc("/calls", s.order(func(w http.ResponseWriter, r *http.Request) error {
		return json.NewEncoder(w).Encode(s.matching(r.URL.Query().Get("path")))
	}))
	mux.HandleFunc("/bodies", s.order(func(w http.ResponseWriter, r *http.Request) error {
		s.bodies = true
		return nil
	}))
	mux.HandleFunc("/pieces", s.order(func(w http.ResponseWriter, r *http.Request) error {
		s.timed = true
		return json.NewEncoder(w).Encode(s.pieces)
	}))
	mux.HandleFunc("/forget", s.order(func(w http.ResponseWriter, r *http.Request) error {
		s.calls, s.arms = nil, nil
		return nil
	}))
	return mux
}

func (s *rules) matching(path string) []*call {
	found, pattern := []*call{}, regexp.MustCompile(path)
	for _, c := range s.calls {
		if pattern.MatchString(c.Path) {
			found = append(found, c)
		}
	}
	return found
}

func (s *rules) order(do func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		if err := do(w, r); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
		}
	}
}
