# An image that contains only the program, for pipelines. The program is linked statically, and the
# build needs no network. Build it in the project's folder, with Docker, or with buildah, which needs
# no daemon:
#
#	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' ./cmd/artifice
#	docker build -t artifice .
#	docker run --rm -v "$PWD:/work" artifice report app.trace
#
#	buildah bud --isolation chroot --storage-driver vfs -t artifice .
#
# The program runs as user 65532, without privileges. It can read files that all
# users can read. To write to the mounted folder, or to read private files there, run it as the user
# that owns them:
#
#	docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/work" artifice convert app.trace -o app.pb.gz
#
# Only user 65532 can write to /tmp. Long traces need temporary files: with --user and a long trace,
# add -e TMPDIR=/work.
FROM scratch
COPY artifice /artifice
USER 65532:65532
# A folder that is made after USER belongs to that user.
WORKDIR /tmp
WORKDIR /work
ENTRYPOINT ["/artifice"]
