import { z } from 'zod';
import { secret } from '../kit/schema.ts';

export const CODE_DIGITS_MOST = 12;
/** As it was mailed or sent as a text message: six digits, and more where earlier ones were never entered. */
export const MailedCode = secret(
  z
    .string()
    .trim()
    .regex(new RegExp(`^\\d{6,${CODE_DIGITS_MOST}}$`), 'invalid.code'),
);
