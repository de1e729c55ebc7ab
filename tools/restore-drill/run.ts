// make restore-drill [rounds=20] [seed=…]: sets databases back during use, and loses Redis and Kafka; each round ends with `verify`.
import { runDrill } from './drill.ts';

const [rounds = '', seedText = ''] = process.argv.slice(2);
const seed = Number(seedText) || Math.floor(Math.random() * 1e9);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

print(`seed ${seed}`);
const breaches = await runDrill({ seed, rounds: Number(rounds) || 5, losesKafka: true, print });
for (const { invariant, detail } of breaches) print(`${invariant} ${detail}`);
print(`${breaches.length === 0 ? 'every invariant held' : `${breaches.length} breaches`} (seed ${seed})`);
process.exit(breaches.length === 0 ? 0 : 1);
