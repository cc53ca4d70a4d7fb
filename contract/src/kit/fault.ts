type FieldWords = string | { readonly key: string; readonly params: Readonly<Record<string, string | number>> };

/** A wanted failure: declared by its call, answered with HTTP 200 and a code of the envelope (design 2, "Answers"). */
export class Fault extends Error {
  readonly fault: string;
  readonly code: number;
  /** Input path → text key or fault name of what is wrong there, with figures of its own where each field has others. */
  readonly fields: Readonly<Record<string, FieldWords>> | undefined;
  readonly params: Readonly<Record<string, string | number>>;
  constructor(
    fault: string,
    options: { code?: number; fields?: Record<string, FieldWords>; params?: Record<string, string | number> } = {},
  ) {
    super(fault);
    this.name = 'Fault';
    this.fault = fault;
    this.code = options.code ?? 400;
    this.fields = options.fields;
    this.params = options.params ?? {};
  }
}

/** The faults that any call may answer; a call declares only its own besides these. */
export const commonFaults = {
  BAD_INPUT: 400,
  DEPT_REFUSED: 400,
  NO_SESSION: 401,
  FORBIDDEN: 403,
  WRONG_PLATFORM: 403,
  PASSWORD_CHANGE_REQUIRED: 403,
  MFA_BIND_REQUIRED: 403,
  STEP_UP_REQUIRED: 403,
  REGIST_WAITING: 403,
  NOT_FOUND: 404,
  OVERTAKEN: 409,
  TOO_LARGE: 413,
  TOO_MANY: 429,
  WORK_FULL: 429,
  UNEXPECTED: 500,
  UNAVAILABLE: 503,
} as const;

export type CommonFault = keyof typeof commonFaults;

/** A common fault with its own code. */
export const fault = (name: CommonFault, params?: Record<string, string | number>): Fault =>
  new Fault(name, params ? { code: commonFaults[name], params } : { code: commonFaults[name] });
