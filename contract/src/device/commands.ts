import { z } from 'zod';

/** Commands a person may send, with what each takes. Those of later domains add a line here. */
export const commandParams = {
  reboot: z.strictObject({}),
  message: z.strictObject({
    title: z.string().trim().min(1).max(64),
    text: z.string().trim().min(1).max(500),
    seconds: z.int().min(1).max(3600).default(30),
  }),
  logPull: z.strictObject({ lines: z.int().min(1).max(5000).default(500) }),
} as const;
export const commandKinds = ['reboot', 'message', 'logPull'] as const;
export const CommandKind = z.enum(commandKinds);
export type CommandKind = z.infer<typeof CommandKind>;
/** How long a command waits for an absent terminal, unless the person says otherwise. */
export const COMMAND_HOURS = 24;
