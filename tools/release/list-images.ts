// Prints a line for each image of the product: its name, workspace and stage of the Dockerfile. With the argument `backing`, the images of
// docker-compose.yml that others publish.
import { join } from 'node:path';
import { backingImages, productImages } from './images.ts';

const lines =
  process.argv[2] === 'backing'
    ? backingImages(join(import.meta.dirname, '../..'))
    : productImages().map(({ name, workspace, target }) => `${name} ${workspace} ${target}`);
process.stdout.write(`${lines.join('\n')}\n`);
