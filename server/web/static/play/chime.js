// @ts-check
/** One modest sound: it is your turn. A browser gives sound only to a page that was touched. */

/** @type {AudioContext | null} */
let audio = null;
let isTouched = false;
addEventListener("pointerdown", () => {
  isTouched = true;
}, { once: true });

const NOTES_HZ = [659, 880];
const NOTE_S = 0.12;
const LOUDNESS = 0.06;

export function chime() {
  if (!isTouched || !("AudioContext" in globalThis)) return;
  audio ??= new AudioContext();
  NOTES_HZ.forEach((frequency, i) => {
    if (!audio) return;
    const at = audio.currentTime + i * NOTE_S;
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(LOUDNESS, at);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + NOTE_S * 2);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + NOTE_S * 2);
  });
}
