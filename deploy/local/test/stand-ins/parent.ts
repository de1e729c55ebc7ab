import { startBacking } from '../../src/backing.ts';

// Started by a test that then kills it.
await startBacking({ directory: process.argv[2] ?? '', parts: ['database', 'redis'] });
process.stdout.write('ready\n');
