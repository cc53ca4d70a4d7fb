import { createRequire } from 'node:module';
import { join } from 'node:path';

// A process of its own: the folder of the installed anchor, then the folder that it serves.
const [installed = '', served = ''] = process.argv.slice(2);
const from = createRequire(join(installed, 'package.json'));
const app = from('fastify')();
app.register(from('@fastify/static'), { root: served });
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
