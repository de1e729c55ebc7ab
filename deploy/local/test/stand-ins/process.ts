import { createServer } from 'node:http';

const { PORT, HOST, END_WITH } = process.env;

if (END_WITH) {
  process.stderr.write(`cannot start: ${END_WITH}\n`);
  process.exit(1);
}

createServer((_request, response) => response.end(JSON.stringify({ pid: process.pid }))).listen(
  Number(PORT),
  HOST,
);
process.on('SIGTERM', () => {
  process.stdout.write('ended in order\n');
  process.exit(0);
});
