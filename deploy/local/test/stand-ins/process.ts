import { createServer } from 'node:http';

const { OPS_PORT, HOST, END_WITH, END_WITH_LOG, FREEZE, FAILED_CHECKS } = process.env;

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

if (FREEZE) process.kill(process.pid, 'SIGSTOP');

const body = FAILED_CHECKS ? { checks: JSON.parse(FAILED_CHECKS) as unknown } : { pid: process.pid };
createServer((_request, response) =>
  response.writeHead(FAILED_CHECKS ? 503 : 200).end(JSON.stringify(body)),
).listen(Number(OPS_PORT), HOST);
process.on('SIGTERM', () => {
  process.stdout.write('ended in order\n');
  process.exit(0);
});
