// Every Kubernetes component of the test bed in one program, so that their common code is compiled
// and linked once. The first argument, or the name the program is called by, picks the component.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	_ "time/tzdata" // CronJobs may name a time zone

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

// Constructors, not commands: building one registers global flags and feature gates.
var components = map[string]func() *cobra.Command{
	"kube-apiserver":          apiserver.NewAPIServerCommand,
	"kube-controller-manager": controllers.NewControllerManagerCommand,
	"kube-proxy":              proxy.NewProxyCommand,
	"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
	"kubelet": func() *cobra.Command {
		return kubelet.NewKubeletCommand(context.Background())
	},
}

// pick takes the component's name from the program's own name or else from the first argument, and
// leaves os.Args as that component expects them.
func pick() string {
	name := filepath.Base(os.Args[0])
	if name != "etcd" && components[name] == nil && len(os.Args) > 1 {
		os.Args = os.Args[1:]
		name = os.Args[0]
	}
	return name
}

func main() {
	name := pick()
	if name == "etcd" {
		etcdmain.Main(os.Args)
		return
	}
	component := components[name]
	if component == nil {
		fmt.Fprintf(os.Stderr, "%s: no such component; there are etcd and:\n", name)
		for known := range components {
			fmt.Fprintln(os.Stderr, " ", known)
		}
		os.Exit(2)
	}
	os.Exit(cli.Run(component()))
}
