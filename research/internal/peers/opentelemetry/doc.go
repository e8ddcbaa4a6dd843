// Package opentelemetry compares OTLP profiles as artifice reads and writes them with pdata, the
// library of OpenTelemetry's collector.
package opentelemetry
