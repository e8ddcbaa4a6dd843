# An image of the program alone, for pipelines: built from the project's folder.
#
#	docker build -t artifice .
#	docker run --rm -v "$PWD:/work" -w /work artifice report app.trace
FROM golang:1.26 AS build
WORKDIR /src
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o /artifice ./cmd/artifice

FROM scratch
COPY --from=build /artifice /artifice
ENTRYPOINT ["/artifice"]
