import type { Up } from '@mooring/contract/device/messages';
import { fetchBytes } from './download.ts';
import type { PackageOffer } from './offer.ts';
import { failure, type OfferTools } from './offer-tools.ts';

/** Downloads a package until it is whole, and holds it against its signed size and digest. */
export async function fetchPackage(offer: PackageOffer, tools: OfferTools): Promise<Up['result'] | { sha256: string; bytes: number }> {
  const { body, signal } = tools;
  const { size, sha256 } = offer.package;
  const sink = await body.openSink(offer);
  let said = Number.NEGATIVE_INFINITY;
  try {
    // Bytes that turn out wrong are fetched anew once; a broken line goes on from where it broke.
    let spoilt = 0;
    for (let attempt = 0, tries = 0; ; attempt += 1) {
      const before = sink.received();
      const got = await fetchBytes({
        url: new URL(offer.url, tools.server),
        size,
        sha256,
        sink,
        signal,
        ca: tools.ca,
        ...body.line(offer, attempt),
        onBytes(received) {
          const now = performance.now();
          if (now - said < 1000) return;
          said = now;
          tools.progress({ phase: 'downloading', percent: Math.floor((received / size) * 100), bytes: received });
        },
      });
      tools.downloaded(Math.max(0, sink.received() - before));
      if (signal.aborted) throw new Error('aborted');
      if (got.ok) {
        tools.progress({ phase: 'verifying', percent: 100, bytes: sink.received() });
        const digest = await sink.digest();
        const bytes = sink.received();
        if (digest === sha256 && bytes === size) return { sha256: digest, bytes };
        await sink.reset();
        spoilt += 1;
        if (spoilt > 1) return failure(offer, bytes === size ? 'hashWrong' : 'sizeWrong', { sha256: digest, bytes });
        continue;
      }
      // Who looks at the result can't look at the terminal: what went wrong goes with it.
      const told = { bytes: sink.received(), message: got.cause.slice(0, 200) };
      if (got.reason !== 'broken') return failure(offer, got.reason === 'linkExpired' ? 'linkExpired' : 'downloadFailed', told);
      // A try that brought bytes doesn't count, since a slow, shaky line still arrives; nor one while the server is away.
      tries = sink.received() > before || !tools.isUp() ? 0 : tries + 1;
      if (tries > offer.retries.times) return failure(offer, 'downloadFailed', told);
      await tools.wait(
        got.retrySeconds || Math.max(tools.isUp() ? 0 : 1, Math.min(60, offer.retries.waitSeconds * 2 ** tries * (0.5 + tools.random()))),
      );
    }
  } finally {
    await sink.close();
  }
}
