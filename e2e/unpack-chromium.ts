import { createRequire } from 'node:module';
import { join } from 'node:path';
import { inflate } from '@sparticuz/chromium';

const bin = join(createRequire(import.meta.url).resolve('@sparticuz/chromium'), '..', '..', 'bin');
for (const archive of ['chromium.br', 'swiftshader.tar.br', 'al2023.tar.br', 'fonts.tar.br']) await inflate(join(bin, archive));
