import { mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const standIn = (name: string): string => join(import.meta.dirname, 'stand-ins', `${name}.ts`);

const WORKSPACES = ['deploy/sandbox', 'bff', 'identity', 'profile', 'billing', 'credits', 'worker'].map(
  (name) => (name.includes('/') || name === 'bff' ? name : `services/${name}`),
);

/** Makes a repository whose processes respond to every request that they are ready. */
export const makeStandInRepository = async (): Promise<string> => {
  const root = await mkdtemp(join(tmpdir(), 'shortlist-stand-ins-'));
  const files = WORKSPACES.map(
    (workspace) => [join(root, workspace, 'src/main.ts'), standIn('process')] as const,
  );
  files.push([join(root, 'services/identity/src/operator.ts'), standIn('admin')]);
  files.push([join(root, 'services/billing/src/operator.ts'), standIn('stripe-check')]);
  for (const [path, target] of files) {
    await mkdir(dirname(path), { recursive: true });
    await symlink(target, path);
  }
  return root;
};
