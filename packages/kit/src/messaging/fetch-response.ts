// Reads the responses to fetches (https://kafka.apache.org/protocol#The_Messages_Fetch) on their way to kafkajs.
import { readableRecordSet } from './record-batch.ts';

const FETCH = 1;
/** The newest version that kafkajs supports; brokers support it since Kafka 2.3. */
const VERSION = 11;
/** The size of the length field, which the length does not include. */
const LENGTH_BYTES = 4;

/** The correlation id of a request if it is a fetch of this version; otherwise null. */
export const fetchIn = (request: Buffer): number | null => {
  if (request.length < 12) return null;
  const isFetch = request.readInt16BE(4) === FETCH && request.readInt16BE(6) === VERSION;
  return isFetch ? request.readInt32BE(8) : null;
};

/** A response starts with the id of its request. */
export const correlationIdOf = (response: Buffer): number | null =>
  response.length < 8 ? null : response.readInt32BE(LENGTH_BYTES);

/**
 * The response with every record set in a form that kafkajs can decode; unchanged if they already are. Throws a RangeError if it is not a fetch
 * response.
 */
export const readableResponse = (response: Buffer): Buffer => {
  const pieces: Buffer[] = [];
  let copied = 0;
  let at = LENGTH_BYTES + 4 + 4 + 2 + 4; // skips length, correlation id, throttling, error and session
  const int32 = (): number => {
    at += 4;
    return response.readInt32BE(at - 4);
  };
  const readPartition = (): void => {
    at += 4 + 2; // skips its number and error
    const highWatermark = response.readBigInt64BE(at);
    at += 3 * 8; // also skips the last stable offset and the first offset
    const aborted = Math.max(int32(), 0);
    at += aborted * 16; // aborted transactions
    at += 4; // the preferred replica
    const start = at;
    const length = Math.max(int32(), 0);
    if (at + length > response.length) throw new RangeError('a record set ends behind its response');
    const recordSet = response.subarray(at, at + length);
    at += length;
    const readable = readableRecordSet(recordSet, highWatermark);
    if (readable === recordSet) return;
    const size = Buffer.alloc(4);
    size.writeInt32BE(readable.length);
    pieces.push(response.subarray(copied, start), size, readable);
    copied = at;
  };
  for (let topics = int32(); topics > 0; topics -= 1) {
    at += 2 + response.readInt16BE(at); // its name
    for (let partitions = int32(); partitions > 0; partitions -= 1) readPartition();
  }
  if (pieces.length === 0) return response;
  const readable = Buffer.concat([...pieces, response.subarray(copied)]);
  readable.writeInt32BE(readable.length - LENGTH_BYTES);
  return readable;
};

/** Collects the bytes of a connection. Returns complete responses, each with its length. */
export const createResponseCollector = (): ((chunk: Buffer) => Buffer[]) => {
  let chunks: Buffer[] = [];
  let received = 0;
  let needed = LENGTH_BYTES;
  return (chunk) => {
    chunks.push(chunk);
    received += chunk.length;
    if (received < needed) return [];
    let bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    const responses: Buffer[] = [];
    for (;;) {
      needed = LENGTH_BYTES + (bytes.length < LENGTH_BYTES ? 0 : bytes.readInt32BE());
      if (needed < LENGTH_BYTES) needed = Math.max(bytes.length, LENGTH_BYTES); // not Kafka: kafkajs says so
      if (bytes.length < needed) break;
      responses.push(bytes.subarray(0, needed));
      bytes = bytes.subarray(needed);
    }
    chunks = bytes.length === 0 ? [] : [bytes];
    received = bytes.length;
    return responses;
  };
};
