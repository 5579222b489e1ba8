"""A chip written for the tests: two serial ports, clocks, a timer whose SVD has bits one by one."""

from __future__ import annotations

from datasheet_lsp.model import Device
from datasheet_lsp.svd import parse_svd
from datasheet_lsp.svd.cores import add_core

SVD = """<device schemaVersion="1.3"><name>ACME32F4</name><version>1.0</version>
<description>test</description><cpu><name>CM4</name><revision>r0p1</revision><endian>little</endian>
<mpuPresent>true</mpuPresent><fpuPresent>true</fpuPresent><nvicPrioBits>4</nvicPrioBits>
<vendorSystickConfig>false</vendorSystickConfig></cpu>
<addressUnitBits>8</addressUnitBits><width>32</width><size>32</size><access>read-write</access>
<peripherals>
<peripheral><name>USART2</name><description>Serial port</description><groupName>USART</groupName>
<baseAddress>0x40004400</baseAddress>
<addressBlock><offset>0</offset><size>0x400</size><usage>registers</usage></addressBlock>
<interrupt><name>USART2</name><description>USART2 global</description><value>38</value></interrupt>
<registers>
<register><name>SR</name><description>Status register</description>
<addressOffset>0</addressOffset>
<resetValue>0xC0</resetValue><access>read-only</access><fields>
<field><name>TXE</name><description>Transmit empty</description><bitRange>[7:7]</bitRange></field>
</fields></register>
<register><name>BRR</name><description>Baud rate register</description>
<addressOffset>8</addressOffset><resetValue>0</resetValue><fields>
<field><name>DIV_Mantissa</name><description>mantissa</description><bitRange>[15:4]</bitRange></field>
<field><name>DIV_Fraction</name><description>fraction</description><bitRange>[3:0]</bitRange></field>
</fields></register>
<register><name>CR1</name><description>Control register 1</description>
<addressOffset>0xC</addressOffset><resetValue>0</resetValue><fields>
<field><name>UE</name><description>USART enable</description><bitRange>[13:13]</bitRange></field>
<field><name>TE</name><description>Sender enable</description><bitRange>[3:3]</bitRange></field>
<field><name>RE</name><description>Receiver enable</description><bitRange>[2:2]</bitRange></field>
</fields></register>
</registers></peripheral>
<peripheral derivedFrom="USART2"><name>USART3</name><baseAddress>0x40004800</baseAddress>
<interrupt><name>USART3</name><description>USART3 global</description><value>39</value></interrupt>
</peripheral>
<peripheral><name>RCC</name><description>Reset and clock control</description>
<baseAddress>0x40023800</baseAddress>
<addressBlock><offset>0</offset><size>0x400</size><usage>registers</usage></addressBlock>
<registers>
<register><name>CR</name><description>Clock control</description><addressOffset>0</addressOffset>
<resetValue>0x83</resetValue><fields>
<field><name>HSEON</name><description>Crystal on</description><bitRange>[16:16]</bitRange>
<enumeratedValues><enumeratedValue><name>Off</name><value>0</value></enumeratedValue>
<enumeratedValue><name>On</name><description>The crystal runs</description><value>1</value>
</enumeratedValue></enumeratedValues></field></fields></register>
<register><name>PLLCFGR</name><description>PLL settings</description>
<addressOffset>4</addressOffset>
<resetValue>0x10</resetValue><fields>
<field><name>PLLM0</name><bitRange>[0:0]</bitRange></field>
<field><name>PLLM1</name><bitRange>[1:1]</bitRange></field>
<field><name>PLLM2</name><bitRange>[2:2]</bitRange></field>
<field><name>PLLM3</name><bitRange>[3:3]</bitRange></field>
<field><name>PLLM4</name><bitRange>[4:4]</bitRange></field>
</fields></register>
<register><name>CFGR</name><description>Clock choice</description><addressOffset>8</addressOffset>
<resetValue>0</resetValue><fields>
<field><name>PPRE1</name><description>APB1 prescaler</description><bitRange>[12:10]</bitRange>
</field></fields></register>
<register><name>APB1ENR</name><description>Clocks of bus 1</description>
<addressOffset>0x40</addressOffset><resetValue>0</resetValue><fields>
<field><name>USART2EN</name><description>USART2 clock</description><bitRange>[17:17]</bitRange>
</field></fields></register>
</registers></peripheral>
</peripherals></device>"""


def chip() -> Device:
    """The chip with the registers of its core."""
    return add_core(parse_svd(SVD.encode(), "ACME32F4.svd"))
