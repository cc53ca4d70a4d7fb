import { X509Certificate } from 'node:crypto';
import type { keyInfoCalls } from '@mooring/contract/signing/key';
import type { Handler } from '../../platform/module.ts';
import { fileOf, ownFiles } from './add-key.ts';
import { subjectOf } from './subject.ts';
import type { Vault } from './vault/vault.ts';

/** What a key file holds, public parts alone. */
export const readKeyFile =
  (vault: Vault): Handler<typeof keyInfoCalls.info> =>
  async (ctx, input) =>
    (await ownFiles(ctx.actor.userId, () => vault.info(fileOf(input)))).map(({ alias, algorithm, usable, chain }) => {
      const own = chain[0] && new X509Certificate(chain[0]);
      return {
        alias,
        algorithm,
        usable,
        subject: own ? subjectOf(own) : null,
        notAfter: own ? new Date(own.validTo) : null,
        certificates: chain.length,
      };
    });
