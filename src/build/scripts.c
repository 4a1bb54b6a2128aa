/* scripts.c - the texts of the helper scripts. */
#include "build/scripts.h"

#include <inttypes.h>

/* Opened for reading and writing, the pipe never ends, so no line is lost between two writers. */
const char logfile_script[] = "set -eu\n"
                              "pipe=${SOCKET:-/tmp/logfile.log}\n"
                              "trap 'exit 0' TERM\n"
                              "trap 'exit 1' INT HUP\n"
                              "mkdir -p \"$(dirname \"$pipe\")\"\n"
                              "if [ ! -p \"$pipe\" ]; then\n"
                              "    rm -f \"$pipe\"\n"
                              "    mkfifo -m 777 \"$pipe\"\n"
                              "fi\n"
                              "exec 3<>\"$pipe\"\n"
                              "while :; do\n"
                              "    cat <&3 &\n"
                              "    wait \"$!\" || :\n"
                              "    sleep 1\n"
                              "done\n";

/* Files that begin with two dots are how the kubelet swaps a volume; the links beside them are what
 * counts. 401 is slurm in the images. */
const char initconf_script[] =
    "set -eu\n"
    "from=/mnt/slurm\n"
    "to=/mnt/etc/slurm\n"
    "mkdir -p \"$to\"\n"
    "find -L \"$from\" -name '..*' -prune -o \\\n"
    "    -type f \\( -name '*.conf' -o -name '*.key' \\) -exec cp -f {} \"$to\" \\;\n"
    "for file in \"$to\"/*; do\n"
    "    [ -f \"$file\" ] || continue\n"
    "    chown 401:401 \"$file\"\n"
    "    case $file in\n"
    "    */slurmdbd.conf | *.key) chmod 600 \"$file\" ;;\n"
    "    *.conf) chmod 644 \"$file\" ;;\n"
    "    esac\n"
    "done\n"
    "ls -l \"$to\"\n";

/* What is remembered is what the files were before slurmctld read them: a change that comes while
 * it does is seen the next time. */
const char reconfigure_script[] =
    "set -euo pipefail\n"
    "dir=/etc/slurm\n"
    "state() {\n"
    "    find \"$dir\" -name '..*' -prune -o \\( -type f -o -type l \\) -print0 |\n"
    "        sort -z | xargs -0 -r sha256sum | sha256sum\n"
    "}\n"
    "seen=$(state)\n"
    "while sleep 5; do\n"
    "    now=$(state) || continue\n"
    "    [ \"$now\" != \"$seen\" ] || continue\n"
    "    echo 'configuration changed: reconfiguring slurmctld'\n"
    "    until timeout 60 scontrol reconfigure; do\n"
    "        echo 'slurmctld did not take it: trying again' >&2\n"
    "        sleep 2\n"
    "    done\n"
    "    echo 'slurmctld has the new configuration'\n"
    "    seen=$now\n"
    "done\n";

const char *worker_stop_script(struct arena *a, const char *reason_prefix, int64_t patience)
{
    return fmt(a,
               "node=$(hostname)\n"
               "set_state() {\n"
               "    timeout 5 scontrol update nodename=\"$node\" state=\"$1\" \\\n"
               "        reason='%sPod is terminating'\n"
               "}\n"
               "reason=$(timeout 5 scontrol show node \"$node\" | sed -n 's/^ *Reason=//p')\n"
               "case $reason in\n"
               "'' | '%s'*) ours=yes ;;\n"
               "*) ours=no ;;\n"
               "esac\n"
               "[ $ours = no ] || set_state drain\n"
               "end=$(($(date +%%s) + %" PRId64 "))\n"
               "until jobs=$(timeout 5 squeue -h -o %%A -w \"$node\") && [ -z \"$jobs\" ]; do\n"
               "    [ \"$(date +%%s)\" -lt $end ] || break\n"
               "    sleep 1\n"
               "done\n"
               "[ $ours = no ] || set_state down\n",
               reason_prefix, reason_prefix, patience);
}
