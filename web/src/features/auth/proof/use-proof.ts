import { signInCalls } from '@mooring/contract/auth/calls';
import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../../../kit/client.ts';
import { isCallError } from '../../../kit/outcome.ts';
import { solved } from './solved.ts';

/** A proof is good for five minutes. */
const FRESH_MS = 4 * 60_000;

type Purpose = 'code' | 'regist';
const begin = (purpose: Purpose) => {
  const proof = api(signInCalls.captcha, { purpose }).then(({ challenge }) => solved(challenge));
  // Whoever needs it hears of the failure.
  proof.catch(() => {});
  return { proof, at: Date.now() };
};

/** Does the work ahead, while something is typed in. */
export function useProof(purpose: Purpose) {
  const [checking, setChecking] = useState(false);
  const ahead = useRef<ReturnType<typeof begin>>(undefined);
  useEffect(() => {
    ahead.current ??= begin(purpose);
  }, [purpose]);

  const take = useCallback(async () => {
    const begun = ahead.current;
    ahead.current = undefined;
    setChecking(true);
    try {
      if (begun && Date.now() - begun.at < FRESH_MS) return await begun.proof.catch(() => begin(purpose).proof);
      return await begin(purpose).proof;
    } finally {
      setChecking(false);
    }
  }, [purpose]);

  /** Once more where the work was too old or too little by now. */
  const withProof = useCallback(
    async (send: (proof: string) => Promise<void>) => {
      try {
        await send(await take());
      } catch (error) {
        if (!isCallError(error) || !error.fault?.startsWith('CAPTCHA_')) throw error;
        await send(await take());
      }
    },
    [take],
  );
  return { checking, withProof };
}
