typedef union { struct { uint8_t SWRST:1; uint8_t ENABLE:1; } bit; uint8_t reg; } ADC_CTRLA_Type;

void adc(void)
{
    ADC->CTRLA.reg = 0x04;                 // expect: reserved-bits
    ADC->CTRLA.reg = 0x102;                // expect: value-too-wide
    ADC->CTRLA.bit.ENABLE = 2;             // expect: value-too-wide
    ADC->CTRLB.bit.PRESCALER = 5;          // expect: value-too-wide
    ADC->CTRLB.bit.RESSEL = 3;             // expect: unlisted-value
    ADC->INTFLAG.bit.RESRDY = 1;           // expect: clears-other-flags
    ADC->INTFLAG.reg |= 1;                 // expect: clears-other-flags
    ADC->RESULT.reg = 0;                   // expect: read-only-register
}
