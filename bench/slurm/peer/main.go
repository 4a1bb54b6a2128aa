// Reads the nodes, or the jobs, of a server once with the Slurm client of the peer, and says what it cost.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/SlinkyProject/slurm-client/pkg/client"
	"github.com/SlinkyProject/slurm-client/pkg/object"
	"github.com/SlinkyProject/slurm-client/pkg/types"
)

func usage() (cpu float64, peakKiB int64) {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	cpu = float64(r.Utime.Sec+r.Stime.Sec) + float64(r.Utime.Usec+r.Stime.Usec)/1e6
	return cpu, r.Maxrss
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	c, err := client.NewClient(&client.Config{Server: os.Args[1], AuthToken: "t"})
	check(err)
	var list object.ObjectList = &types.V0044NodeList{}
	if os.Args[2] == "jobs" {
		list = &types.V0044JobInfoList{}
	}
	before, _ := usage()
	began := time.Now()
	check(c.List(context.Background(), list))
	wall := time.Since(began).Seconds()
	cpu, peak := usage()
	var memory runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&memory)
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"records": len(list.GetItems()), "cpu_s": cpu - before, "wall_s": wall, "peak_kib": peak,
		"kept_kib": memory.HeapAlloc / 1024,
	}))
	runtime.KeepAlive(list)
}
