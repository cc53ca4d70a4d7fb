/** What is known when a terminal asks to be let in. */
export interface Asking {
  readonly sn: string;
  readonly keyHash: string;
  readonly device:
    | { readonly deptPath: string; readonly disabled: boolean; readonly deleted: boolean; readonly activeKeys: readonly string[] }
    | undefined;
  /** `undefined`: none was sent; `'wrong'`: one that doesn't hold. */
  readonly code: { readonly sn: string | null; readonly deptPath: string } | 'wrong' | undefined;
  /** An enabled rule that fits SN, product and address. */
  readonly rule: { readonly deptPath: string; readonly onlyExpected: boolean } | undefined;
  /** Organisations whose trusted makers vouch that it is this SN. */
  readonly factory: readonly string[];
  readonly pending: 'asking' | 'accepted' | 'refused' | 'enrolled' | undefined;
}
export type Decision =
  | {
      readonly do: 'issue';
      readonly by: 'sameKey' | 'code' | 'rule' | 'person' | 'factory';
      readonly create: boolean;
      readonly replace: boolean;
    }
  | { readonly do: 'ask' }
  | { readonly do: 'refuse'; readonly reason: 'ENROLMENT_REFUSED' | 'CODE_WRONG' | 'CODE_NOT_FOR_DEVICE' | 'ALREADY_ENROLLED' };

const refuse = (reason: Extract<Decision, { do: 'refuse' }>['reason']): Decision => ({ do: 'refuse', reason });

/**
 * Who gets a certificate. A SN that is enrolled with another key is given away only by a code for that very SN, by its factory certificate, or by a
 * person: a code for many, or a rule, must not take a terminal over.
 */
export function decideEnrolment(asking: Asking): Decision {
  const { device, code, rule, pending } = asking;
  if (device?.disabled || device?.deleted) return refuse('ENROLMENT_REFUSED');
  if (device?.activeKeys.includes(asking.keyHash)) return { do: 'issue', by: 'sameKey', create: false, replace: false };
  const taken = (device?.activeKeys.length ?? 0) > 0;
  const create = device === undefined;
  const byPerson = (): Decision | undefined =>
    pending === 'refused'
      ? refuse('ENROLMENT_REFUSED')
      : pending === 'accepted'
        ? { do: 'issue', by: 'person', create, replace: taken }
        : undefined;
  if (code === 'wrong') return refuse('CODE_WRONG');
  if (code) {
    if (code.sn !== null && code.sn !== asking.sn) return refuse('CODE_NOT_FOR_DEVICE');
    // Another organisation wrote the SN down first, and may have no right to it: who stands above both decides.
    if (device && !device.deptPath.startsWith(code.deptPath)) return taken ? refuse('CODE_NOT_FOR_DEVICE') : (byPerson() ?? { do: 'ask' });
    if (taken && code.sn === null) return refuse('ALREADY_ENROLLED');
    return { do: 'issue', by: 'code', create, replace: taken };
  }
  const decided = byPerson();
  if (decided) return decided;
  if (device && asking.factory.some((path) => device.deptPath.startsWith(path)))
    return { do: 'issue', by: 'factory', create: false, replace: taken };
  if (rule && !taken && (device ? device.deptPath.startsWith(rule.deptPath) : !rule.onlyExpected))
    return { do: 'issue', by: 'rule', create, replace: false };
  return { do: 'ask' };
}
