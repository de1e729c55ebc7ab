import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Value = { stringValue?: string; intValue?: number; doubleValue?: number; boolValue?: boolean };
type KeyValue = { key: string; value: Value };
type OtlpSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: KeyValue[];
  status: { code?: number; message?: string };
};
type OtlpRequest = {
  resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
};

export type CollectedSpan = {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  attributes: Record<string, unknown>;
  /** The code of the error, if the span failed. */
  failure: string | null;
};

const valuesOf = (attributes: KeyValue[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const OTLP_ERROR = 2;

const toCollectedSpan = (service: string, span: OtlpSpan): CollectedSpan => ({
  service,
  name: span.name,
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId || null,
  attributes: valuesOf(span.attributes),
  failure: span.status.code === OTLP_ERROR ? (span.status.message ?? '') : null,
});

const spansIn = ({ resourceSpans }: OtlpRequest): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => toCollectedSpan(service, span)));
  });

export type Collector = {
  url: string;
  spans: CollectedSpan[];
  /** The received bodies, unchanged. */
  bodies: string[];
  /** The value of the header `x-key` of each request. */
  keys: unknown[];
  close: () => void;
};

/** An OpenTelemetry collector that accepts spans as JSON over HTTP, or responds with another status. */
export const openCollector = async (status = 200): Promise<Collector> => {
  const collector: Collector = { url: '', spans: [], bodies: [], keys: [], close: () => undefined };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      collector.keys.push(request.headers['x-key']);
      collector.bodies.push(body);
      if (status === 200 && request.url === '/v1/traces')
        collector.spans.push(...spansIn(JSON.parse(body) as OtlpRequest));
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  collector.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  collector.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return collector;
};
