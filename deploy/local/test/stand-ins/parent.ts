import { startBacking } from '../../src/backing/backing.ts';

// A test starts this program and kills it.
await startBacking({ directory: process.argv[2] ?? '', parts: ['redis'] });
process.stdout.write('ready\n');
