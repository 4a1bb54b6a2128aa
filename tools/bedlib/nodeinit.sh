#!/bin/sh
# Makes the inside of a node, then waits for ever as its pid 1.
#   nodeinit.sh NAME DIR READY PAUSE KEEP...
# Runs in new mount, pid, uts, ipc and cgroup namespaces. DIR holds what the node writes; READY is
# made when all is mounted; each KEEP is a directory that must stay visible under /var or /run.
set -eu
name=$1 dir=$2 ready=$3 pause=$4
shift 4

# A directory that is about to be covered stays reachable through an open descriptor.
exec 7< "$dir" 8< "$1" 9< "$2"

mount --make-rprivate /
mount -t proc proc /proc
mount -t sysfs sysfs /sys
hostname "$name"

# The cgroup tree as the node sees it: its own cgroup is the root.
if ! grep -q '^[1-9]' /proc/self/cgroup; then
    mount -t cgroup2 cgroup2 /sys/fs/cgroup
    # Only leaves may hold processes once controllers are handed down.
    mkdir -p /sys/fs/cgroup/system
    echo 1 > /sys/fs/cgroup/system/cgroup.procs
else
    mount -t tmpfs -o mode=755 tmpfs /sys/fs/cgroup
    while IFS=: read -r number controllers _; do
        [ "$number" != 0 ] || continue
        at=/sys/fs/cgroup/${controllers#name=}
        mkdir "$at"
        case $controllers in
            name=*) mount -t cgroup -o "none,$controllers" cgroup "$at" ;;
            *) mount -t cgroup -o "$controllers" cgroup "$at" ;;
        esac
        for each in $(echo "$controllers" | tr , ' '); do # cpu,cpuacct is also found as cpu
            [ -e "/sys/fs/cgroup/${each#name=}" ] || ln -s "$at" "/sys/fs/cgroup/$each"
        done
    done < /proc/self/cgroup
fi

# What the node writes goes to DIR; the machine gets no mount point and no file of it.
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/lock /run/netns
mount --no-canonicalize --bind /proc/self/fd/7 /mnt
for place in /var/lib /var/log; do
    mkdir -p "/mnt$place"
    mount --bind "/mnt$place" "$place"
done
umount /mnt
mkdir -p /var/lib/kubelet /var/lib/containerd /var/lib/cni /var/log/pods /var/log/containers
for fd in 8 9; do
    if [ ! -d "$1" ]; then
        mkdir -p "$1"
        mount --no-canonicalize --bind "/proc/self/fd/$fd" "$1"
    fi
    shift
done

# kubelet insists on these values, which are the machine's to decide: it is shown files instead.
for setting in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 \
    kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000; do
    file=/run/sysctl/${setting%=*}
    mkdir -p "${file%/*}"
    echo "${setting#*=}" > "$file"
    mount --bind "$file" "/proc/sys/${setting%=*}"
done

mount --make-rshared /
: > "$ready"
exec 7<&- 8<&- 9<&-
exec "$pause"
