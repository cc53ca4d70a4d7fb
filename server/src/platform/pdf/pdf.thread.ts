import { parentPort, workerData } from 'node:worker_threads';
import type { PdfDocument } from './document.ts';
import { drawSheet } from './sheet.ts';

parentPort?.postMessage(await drawSheet(workerData as PdfDocument));
