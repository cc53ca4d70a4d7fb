import { z } from 'zod';
import { call, calls } from '../kit/call.ts';

/** A file of its own: the client of every page has it, to seal what goes to the vault. */
export const vaultSealCalls = calls('signing', '/api/keystore', {
  /** What secrets for the vault are sealed with: an uncompressed point of P-256 in base64 (SEC 1, section 2.3.3). */
  sealKey: call({ can: 'signing:key:add', reads: true, output: z.object({ publicKey: z.base64() }), faults: ['KEY_VAULT_AWAY'] }),
});
