// Within the gateway's process: the longest turn of its event loop since it was last asked, in milliseconds of CPU, which other
// programs on the machine disturb far less than the time on the wall. Only on Linux is it known what the thread of the event
// loop has used alone; elsewhere what the process's other threads do meanwhile counts, too.
import { existsSync, readFileSync } from 'node:fs';

const ofThread = `/proc/self/task/${process.pid}/schedstat`;
const ofProcess = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const used = existsSync(ofThread) ? () => Number(readFileSync(ofThread, 'latin1').split(' ')[0]) / 1e6 : ofProcess;

let longest = 0;
let before = used();
const turn = () => {
  longest = Math.max(longest, used() - before);
  before = used();
  setImmediate(turn);
};
process.on('message', (message) => {
  if (message !== 'longest turn') return;
  process.send({ longest });
  longest = 0;
});
// The start itself is not asked for.
setImmediate(turn);
