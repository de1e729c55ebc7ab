import { createServer } from 'node:http';

const { OPS_PORT, HOST, END_WITH, END_WITH_LOG } = process.env;

if (END_WITH) {
  process.stderr.write(`cannot start: ${END_WITH}\n`);
  process.exit(1);
}

if (END_WITH_LOG) {
  const log = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
  for (let count = 0; count < 30; count += 1) log({ level: 'info', msg: 'step', count });
  log({
    level: 'fatal',
    err: { message: END_WITH_LOG, stack: 'Error\n    at start' },
    msg: 'could not start',
  });
  log({ level: 'info', msg: 'stopped' });
  process.exit(1);
}

createServer((_request, response) => response.end(JSON.stringify({ pid: process.pid }))).listen(
  Number(OPS_PORT),
  HOST,
);
process.on('SIGTERM', () => {
  process.stdout.write('ended in order\n');
  process.exit(0);
});
