// make doctor: says what is missing or in the way on this machine.
import { diagnose } from './doctor/diagnose.ts';
import { lineOf } from './doctor/finding.ts';
import { print } from './host/messages.ts';

const findings = await diagnose();
for (const finding of findings) print(lineOf(finding));
const problems = findings.filter(({ level }) => level === 'problem').length;
print(problems === 0 ? 'Nothing prevents make start.' : `Problems that prevent make start: ${problems}`);
process.exitCode = problems === 0 ? 0 : 1;
