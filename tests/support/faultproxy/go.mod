module windlass.dev/faultproxy

go 1.21
