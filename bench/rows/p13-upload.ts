import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partSize } from '@mooring/contract/file/kinds';
import { launchBrowser } from '../../e2e/browser.ts';
import { barePut } from '../anchors/bare-put.ts';
import { startApp } from '../app.ts';
import { openEstate } from '../estate.ts';
import { median } from '../measure.ts';
import { arrive, mooringConsole, type Page } from '../person.ts';
import { atLeast, below, type Figure, missing, type Row, reported } from '../row.ts';

const MB = 1024 * 1024;
const SIZE = 200 * MB;
const ROUNDS = 9;

interface Seen {
  chosen?: number;
  longest?: number;
}

/** What the page itself saw: when a file was chosen, and its longest task. */
const watch = (page: Page) =>
  page.addInitScript(() => {
    const seen = window as Seen;
    performance.setResourceTimingBufferSize(5000);
    document.addEventListener('change', () => {
      seen.chosen = performance.now();
      seen.longest = 0;
      performance.clearResourceTimings();
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.longest = Math.max(seen.longest ?? 0, entry.duration);
      }).observe({ type: 'longtask' });
    });
  });

/** Through the console's own upload: megabytes a second of hashing and of sending until it is stored, and the longest task. */
async function uploadOurs(page: Page, url: string, file: string) {
  await page.goto(`${url}/device/fota/version`);
  await page.getByRole('button', { name: 'Upload package' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').waitFor({ state: 'attached' });
  await dialog.locator('input[type=file]').setInputFiles(file);
  await dialog.getByText('Uploaded', { exact: true }).waitFor({ timeout: 120_000 });
  return page.evaluate((size) => {
    const seen = window as Seen;
    const calls = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const begun = calls.find((one) => one.name.includes('initMultipartUpload'))?.startTime ?? Number.NaN;
    const ended = calls.findLast((one) => one.name.includes('transferCheck'))?.responseEnd ?? Number.NaN;
    const rate = (ms: number) => size / 1024 / 1024 / (ms / 1000);
    return { hash: rate(begun - (seen.chosen ?? Number.NaN)), upload: rate(ended - begun), longest: seen.longest ?? Number.NaN };
  }, SIZE);
}

async function choose(page: Page, url: string, file: string): Promise<void> {
  await page.goto(url);
  await page.locator('input').setInputFiles(file);
}

async function putWhole(page: Page, url: string, file: string, path: '/put' | '/checked'): Promise<number> {
  await choose(page, url, file);
  return page.evaluate(async (to) => {
    const chosen = document.querySelector('input')?.files?.[0];
    if (!chosen) return Number.NaN;
    const started = performance.now();
    const { ok } = await fetch(to, { method: 'PUT', body: chosen });
    return ok ? chosen.size / 1024 / 1024 / ((performance.now() - started) / 1000) : Number.NaN;
  }, path);
}

/**
 * What the browser alone can send in parts: those of the console, three at once, to a server that does nothing with them; with the MD5 of
 * each made before as the specification has it (section 9), or without.
 */
async function partsBare(page: Page, url: string, file: string, hashed: boolean): Promise<number> {
  await choose(page, url, file);
  return page.evaluate(
    async ({ part, isHashed }) => {
      const chosen = document.querySelector('input')?.files?.[0];
      if (!chosen) return Number.NaN;
      const script = `importScripts('${location.origin}/hash-wasm.js');
        onmessage = async ({ data: { blob, port } }) => {
          const hash = await hashwasm.createMD5();
          port.postMessage(hash.init().update(new Uint8Array(await blob.arrayBuffer())).digest('hex'));
        };`;
      const worker = new Worker(URL.createObjectURL(new Blob([script])));
      const md5Of = (blob: Blob) =>
        new Promise<string>((done) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = ({ data }) => done(data as string);
          worker.postMessage({ blob, port: port2 }, [port2]);
        });
      if (isHashed && (await md5Of(new Blob(['warm']))).length !== 32) return Number.NaN;
      let at = 0;
      const lane = async () => {
        while (at < chosen.size) {
          const bytes = chosen.slice(at, at + part);
          at += part;
          const form = new FormData();
          form.append('req', JSON.stringify({ md5: isHashed ? await md5Of(bytes) : '' }));
          form.append('file', bytes, chosen.name);
          await fetch('/part', { method: 'POST', body: form });
        }
      };
      const started = performance.now();
      await Promise.all([lane(), lane(), lane()]);
      const rate = chosen.size / 1024 / 1024 / ((performance.now() - started) / 1000);
      worker.terminate();
      return rate;
    },
    { part: partSize('disk'), isHashed: hashed },
  );
}

/** As its own manual has it, by slices of 2 MB, but in a worker as ours. */
async function hashSpark(page: Page, url: string, file: string): Promise<number> {
  await choose(page, url, file);
  return page.evaluate(async () => {
    const chosen = document.querySelector('input')?.files?.[0];
    if (!chosen) return Number.NaN;
    const script = `importScripts('${location.origin}/spark-md5.js');
      onmessage = async ({ data }) => {
        const hash = new SparkMD5.ArrayBuffer();
        for (let at = 0; at < data.size; at += 2097152) hash.append(await data.slice(at, at + 2097152).arrayBuffer());
        postMessage(hash.end());
      };`;
    const worker = new Worker(URL.createObjectURL(new Blob([script])));
    const started = performance.now();
    await new Promise((done) => {
      worker.onmessage = done;
      worker.postMessage(chosen);
    });
    worker.terminate();
    return chosen.size / 1024 / 1024 / ((performance.now() - started) / 1000);
  });
}

async function run(): Promise<readonly Figure[]> {
  const estate = await openEstate(1_000_000);
  const app = await startApp({ DATABASE_URL: estate.url });
  const folder = mkdtempSync(join(tmpdir(), 'mooring-bench-upload-'));
  const bare = await barePut(folder);
  const browser = await launchBrowser();
  try {
    const { context, page } = await arrive(browser, mooringConsole(app.url, await estate.session('platformAdmin', 1)));
    await watch(page);
    const other = await browser.newPage();
    const bytes = randomBytes(SIZE);
    const ours: Awaited<ReturnType<typeof uploadOurs>>[] = [];
    // Both store a new file each time, into memory that was used before: what a virtual machine never touched takes several times as long.
    const clear = () => {
      for (const stored of [join(app.dataDir, 'blobs'), bare.stored]) rmSync(stored, { recursive: true, force: true });
    };
    const [put, checked, parts, hashedParts, spark]: [number[], number[], number[], number[], number[]] = [[], [], [], [], []];
    for (let round = 0; round <= ROUNDS; round += 1) {
      // The same content twice would be there at once.
      randomBytes(16).copy(bytes);
      const file = join(folder, 'firmware.bin');
      writeFileSync(file, bytes);
      clear();
      const found = await uploadOurs(page, app.url, file);
      const sent = await putWhole(other, bare.url, file, '/put');
      const sentChecked = await putWhole(other, bare.url, file, '/checked');
      const sentInParts = await partsBare(other, bare.url, file, false);
      const sentInHashedParts = await partsBare(other, bare.url, file, true);
      const hashed = bare.hasSpark ? await hashSpark(other, bare.url, file) : Number.NaN;
      if (round === 0) continue;
      ours.push(found);
      put.push(sent);
      checked.push(sentChecked);
      parts.push(sentInParts);
      hashedParts.push(sentInHashedParts);
      spark.push(hashed);
    }
    await context.close();
    const hash = median(ours.map((one) => one.hash));
    const upload = median(ours.map((one) => one.upload));
    return [
      bare.hasSpark
        ? atLeast('hashing 200 MB in a worker', hash, median(spark), 3, 'MB/s')
        : missing('hashing 200 MB in a worker', hash, 'MB/s', 'spark-md5'),
      reported('upload of 200 MB until it is stored, against a bare PUT', upload, 'MB/s', median(put)),
      atLeast('the same, against a PUT whose server makes the digests that ours makes', upload, median(checked), 0.85, 'MB/s'),
      reported('the browser’s own parts to a server that does nothing with them, against a bare PUT', median(parts), 'MB/s', median(put)),
      reported('the same, the MD5 of each part made before', median(hashedParts), 'MB/s', median(put)),
      below('longest task of the main thread meanwhile', Math.max(...ours.map((one) => one.longest)), 50, 'ms'),
    ];
  } finally {
    await browser.close();
    await bare.stop();
    await app.stop();
    rmSync(folder, { recursive: true, force: true });
    await estate.query('delete from file_upload').then(() => estate.query('delete from file_file'));
    await estate.stop();
  }
}

export const p13: Row = { id: 'P13', work: 'hash and upload 200 MB in Chromium', run };
