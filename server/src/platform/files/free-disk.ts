import { statfs } from 'node:fs/promises';

/** Left for what can't wait: the database may be on the same disk. */
const RESERVE = 64 * 1024 * 1024;

/** What is free where a folder is. */
export async function freeDisk(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

export const hasRoom = async (folder: string, bytes: number): Promise<boolean> => (await freeDisk(folder)) >= bytes + RESERVE;
