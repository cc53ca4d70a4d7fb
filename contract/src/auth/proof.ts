import { z } from 'zod';
import { secret } from '../kit/schema.ts';

/** Work that a browser is asked to do by itself, as JSON text (ALTCHA version 2). */
export const Challenge = z.string();
/** The challenge and what the work found, as JSON text. Each works once, for five minutes, for what it was put for. */
export const Proof = secret(z.string().min(1).max(2048));
