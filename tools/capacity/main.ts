// make capacity use="users=50000 premium=0.2": what the product needs for so many users, computed from measured costs.
import { ArgumentError, describeArguments, readUsages } from './arguments.rules.ts';
import { planFor } from './capacity.rules.ts';
import { monthlyCost } from './cost.rules.ts';
import { limitsInOrder } from './limits.rules.ts';
import { readMeasured } from './measured.ts';
import { presentLimits, presentOrigins, presentPlans } from './present-plan.ts';
import { readDeployment, readPrices } from './settings.ts';

const print = (lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);

const main = async (words: readonly string[]): Promise<void> => {
  const usages = readUsages(words);
  const [measured, deployment, prices] = await Promise.all([readMeasured(), readDeployment(), readPrices()]);
  const basis = { measured, deployment };
  const plans = usages.map((usage) => {
    const plan = planFor(usage, basis);
    const { peakFactor } = usage;
    return { plan, cost: monthlyCost(plan, { prices, deployment, peakFactor }) };
  });
  const [anyUsage] = usages;
  const limits = anyUsage === undefined ? [] : limitsInOrder(anyUsage, basis);
  print([...presentPlans(plans, prices), '', ...presentLimits(limits), '', ...presentOrigins(measured)]);
};

try {
  // `make` passes the arguments as one word.
  await main(process.argv.slice(2).flatMap((text) => text.split(' ').filter((word) => word !== '')));
} catch (error) {
  if (!(error instanceof ArgumentError)) throw error;
  print([error.message, 'The arguments are name=value, separated by spaces:', ...describeArguments()]);
  process.exitCode = 2;
}
