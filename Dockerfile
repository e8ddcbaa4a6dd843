# An image of the program alone, for pipelines. It is made of the static program, and nothing is
# fetched for it. In the project's folder, with Docker or with buildah, which needs no service:
#
#	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' ./cmd/artifice
#	docker build -t artifice .
#	docker run --rm -v "$PWD:/work" artifice report app.trace
#
#	buildah bud --isolation chroot --storage-driver vfs -t artifice .
FROM scratch
COPY artifice /artifice
# For long traces, which go through temporary files.
WORKDIR /tmp
WORKDIR /work
ENTRYPOINT ["/artifice"]
