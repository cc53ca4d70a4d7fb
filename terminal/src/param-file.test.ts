import { expect, test } from 'vitest';
import { deploymentOf } from './deployment.ts';
import { signedOffer, withTerminal } from './signed-offer.factory.ts';

const SN = 'SN000001';
/** What this terminal says of a file that was genuinely signed so. */
const objection = (of: object): string | undefined =>
  withTerminal(SN, (tools) => deploymentOf(signedOffer('paramFile', { content: 'paramFile', name: SN, ...of }), tools)?.objection());

test.each([
  ['its own file', {}, undefined],
  ['another terminal’s', { name: 'SN000002' }, 'terminalWrong'],
  ['one for nobody by name', { name: undefined }, 'terminalWrong'],
  ['what was signed as something else', { content: 'module' }, 'kindWrong'],
  ['another product’s', { product: 'Q80' }, 'productWrong'],
])('a terminal that is offered %s as its parameters', (_name, of, reason) => {
  expect(objection(of)).toBe(reason);
});
