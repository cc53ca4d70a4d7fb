import { z } from 'zod';
import { allowedActions } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { filter, pageOf, pageQuery } from '../kit/page.ts';
import { ById, Id, Moment } from '../kit/schema.ts';
import { stateOf } from '../kit/state-machine.ts';
import { mailMachine } from '../mail/state-machines.ts';
import { Email, Mobile } from '../shared/patterns.ts';

/** A message that went out, or waits here to be read. The words of a code are gone once it was sent. */
export const OutMail = z.object({
  id: Id,
  channel: z.enum(['email', 'sms']),
  recipient: z.string(),
  template: z.string(),
  subject: z.string(),
  text: z.string(),
  state: stateOf(mailMachine),
  attempts: z.int(),
  error: z.string().nullable(),
  maybeTwice: z.boolean(),
  createdAt: Moment,
  sentAt: Moment.nullable(),
  ...allowedActions,
});
const can = 'settings:system:update';

const query = pageQuery(
  {
    recipient: filter.text(),
    state: filter.exact(stateOf(mailMachine)),
    channel: filter.exact(z.enum(['email', 'sms'])),
    createdAt: filter.moment(),
  },
  ['-createdAt'],
);

export const mailCalls = calls('settings', '/sysSetting/mail', {
  page: call({
    can: 'settings:system:page',
    reads: true,
    input: query,
    output: pageOf(OutMail),
  }),
  export: exporting('settings:system:page', query.shape.criteria),
  resend: call({ can, input: ById, output: OutMail, faults: ['SEND_UNSET'] }),
  /** A mail by the settings as they are saved. */
  test: call({ can, input: z.strictObject({ to: Email }), output: OutMail, faults: ['SEND_UNSET'] }),
  /** A text message, to see the gateway work. */
  testText: call({ can, input: z.strictObject({ to: Mobile }), output: OutMail, faults: ['SEND_UNSET'] }),
});
