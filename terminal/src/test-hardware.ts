import type { Up } from '@mooring/contract/device/messages';
import type { Body, Done } from './body.ts';
import { partsIn } from './hardware.ts';

/** Tests part by part, and tells of each as it is found. */
export async function testHardware(
  body: Body,
  params: Readonly<Record<string, unknown>>,
  tell: (found: Omit<Up['test'], 'to'>) => void,
): Promise<Done> {
  if (!body.testPart) return { ok: false, reason: 'notSupported' };
  tell({ done: false, parts: [] });
  const parts: Up['test']['parts'] = [];
  for (const part of partsIn(params)) {
    const { figures, ...found } = await body.testPart(part);
    const level = found.outcome === 'failed' ? 'error' : 'info';
    body.runLog.add(level, 'test', [part, found.outcome, found.reason, found.message].filter(Boolean).join(', '));
    parts.push({ ...found, ...(figures ? { figures } : {}) });
    tell({ done: false, parts: parts.slice(-1) });
  }
  tell({ done: true, parts });
  return { ok: true };
}
