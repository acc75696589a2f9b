import { hash, timingSafeEqual } from 'node:crypto';

/** A secret as it is compared. */
function digestOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Whether two secrets are the same. The time taken tells nothing of how near a guess was. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other));
}
